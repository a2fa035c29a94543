#!/usr/bin/env python3
"""The tests of the shop in C++, against the one in Node: a real PostgreSQL, and a real `tessera serve` that is asked
over the Redis protocol.

    shop_node_test.py TESSERA TARBALL_OF_TESSERA_ID
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "shop")]
import shop_test  # noqa: E402
from support import Service  # noqa: E402

CONFIG = """\
listen: {{public: "127.0.0.1:0", internal: "off", redis: "127.0.0.1:0"}}
store: {store}
scopes: {{PRODUCT: {{}}, ORDER: {{}}}}
"""
TARBALL = SERVICE = None


def setUpModule():
    global SERVICE
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-shop-node."))
    unittest.addModuleCleanup(shutil.rmtree, folder, ignore_errors=True)
    for path in HERE.iterdir():
        if path.is_file():
            shutil.copy(path, folder)
    for words in (["ci"], ["install", "--no-save", "--offline", str(TARBALL)]):
        subprocess.run(["npm", *words, "--no-audit", "--no-fund", "--loglevel=error"], cwd=folder, check=True)
    shop_test.COMMAND = ["node", folder / "shop.mjs", "0"]
    shop_test.open_database()
    SERVICE = Service(shop_test.TESSERA, CONFIG.format(store=shop_test.DATABASE.url)).__enter__()
    unittest.addModuleCleanup(lambda: SERVICE.__exit__())
    shop_test.ENVIRONMENT = {"SHOP_REDIS": str(SERVICE.redis_port)}
    shop_test.STATEMENTS = re.findall(r"`\n(.*?)`", (HERE / "queries.mjs").read_text(), re.S)
    shop_test.start()
    unittest.addModuleCleanup(lambda: shop_test.RUNNING.__exit__())


class Behaviour(shop_test.Behaviour):
    pass


class Contract(shop_test.Contract):
    pass


if __name__ == "__main__":
    shop_test.TESSERA, TARBALL = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
    del sys.argv[1:3]
    unittest.main()
