"""A client of PostgreSQL that needs nothing but a socket: simple queries, and COPY in both directions.

    connection = wire.connect(folder, port, "postgres", user="root")
    connection.rows("SELECT 1, 'a'")           [("1", "a")]
    connection.copy_out("COPY t TO STDOUT")    bytes
    connection.copy_in("COPY t FROM STDIN (FORMAT binary)", data)

What the server refuses is raised as wire.Error, with sqlstate, message, detail and hint.
"""
import socket
import struct


class Error(Exception):
    def __init__(self, fields):
        self.sqlstate = fields.get("C", "")
        self.message = fields.get("M", "")
        self.detail = fields.get("D", "")
        self.hint = fields.get("H", "")
        super().__init__(f"{self.sqlstate}: {self.message} {self.detail} {self.hint}".strip())


class Gone(Exception):
    """The server has closed the connection."""


class Connection:
    def __init__(self, sock):
        self.socket = sock
        self.input = sock.makefile("rb", buffering=1 << 16)
        self.columns = []

    def close(self):
        try:
            self._send(b"X", b"")
        except OSError:
            pass
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _send(self, kind, body):
        self.socket.sendall(kind + struct.pack("!i", len(body) + 4) + body)

    def _read(self):
        head = self.input.read(5)
        if len(head) < 5:
            raise Gone()
        size = struct.unpack("!i", head[1:])[0] - 4
        body = self.input.read(size)
        if len(body) < size:
            raise Gone()
        return head[:1], body

    def _answer(self, on_copy=None):
        """Everything up to ready-for-query."""
        rows, copied, error = [], [], None
        while True:
            kind, body = self._read()
            if kind == b"Z":
                break
            if kind == b"E":
                error = Error({part[:1].decode(): part[1:].decode("utf-8", "replace") for part in body.split(b"\0") if part})
            elif kind == b"D":
                rows.append(_cells(body))
            elif kind == b"d":
                copied.append(body)
            elif kind == b"G":
                on_copy()
        if error:
            raise error
        return rows, copied

    def send(self, sql):
        """Asks, and does not wait: finish() does."""
        self._send(b"Q", sql.encode() + b"\0")

    def finish(self):
        return self._answer()[0]

    def rows(self, sql):
        self.send(sql)
        return self.finish()

    def one(self, sql):
        rows = self.rows(sql)
        assert len(rows) == 1 and len(rows[0]) == 1, (sql, rows)
        return rows[0][0]

    def column(self, sql):
        return [row[0] for row in self.rows(sql)]

    def finish_copy(self):
        return b"".join(self._answer()[1])

    def copy_out(self, sql):
        self.send(sql)
        return self.finish_copy()

    def copy_in(self, sql, data):
        def feed():
            for start in range(0, len(data), 1 << 16):
                self._send(b"d", data[start:start + (1 << 16)])
            self._send(b"c", b"")
        self.send(sql)
        self._answer(feed)


def _cells(body):
    count, = struct.unpack_from("!h", body)
    place, cells = 2, []
    for _ in range(count):
        size, = struct.unpack_from("!i", body, place)
        place += 4
        cells.append(None if size < 0 else body[place:place + size].decode())
        place += max(size, 0)
    return tuple(cells)


def connect(folder, port, database, user="root", settings=()):
    sock = socket.socket(socket.AF_UNIX)
    sock.settimeout(300)
    try:
        sock.connect(f"{folder}/.s.PGSQL.{port}")
    except OSError:
        sock.close()
        raise
    words = {"user": user, "database": database, "client_encoding": "UTF8", **dict(settings)}
    body = struct.pack("!i", 196608) + b"".join(f"{name}\0{value}\0".encode() for name, value in words.items()) + b"\0"
    sock.sendall(struct.pack("!i", len(body) + 4) + body)
    connection = Connection(sock)
    try:
        connection._answer()
    except BaseException:
        sock.close()
        raise
    return connection
