// What the core says, in Chinese: its words are English. What is not here stays as it is.

export const phrases: Record<string, string> = {
  "time in ms, then random bits": "毫秒时间，其后为随机位",
  "unix time in ms, then random bits": "Unix 毫秒时间，其后为随机位",
  "random bits": "随机位",
  "the prefix of a type and a ULID": "类型前缀加一个 ULID",
  "random bits with a check for typing errors": "随机位，带防输错的校验",
  "time, machine and sequence in one number": "时间、机器号和序号合为一个数",
  "MongoDB: seconds, random bits of a process, counter": "MongoDB：秒、进程随机位、计数器",
  "a path of collections and IDs": "由集合和 ID 组成的路径",
  "seconds since 1970": "自 1970 年起的秒数",
  "milliseconds since 1970": "自 1970 年起的毫秒数",
  "microseconds since 1970": "自 1970 年起的微秒数",
  "nanoseconds since 1970": "自 1970 年起的纳秒数",
  "looks made up by hand": "看起来是人为编造的",
  "several layouts fit; the number alone does not say which":
    "有多种布局都符合，仅凭数字无法判断是哪一种",
  "the smallest or the largest value: a bound, not an ID": "最小或最大值：是界限，不是 ID",
  // The table of kinds.
  "by the millisecond; strictly within one process": "按毫秒；同一进程内严格递增",
  "by 100 ns; strictly within one process": "按 100 纳秒；同一进程内严格递增",
  "by the second; strictly within one process": "按秒；同一进程内严格递增",
  "by the millisecond; strictly within one machine": "按毫秒；同一机器内严格递增",
  "no: the low bits of the time stand first": "不排序：时间的低位在前",
  no: "不排序",
  "64 fresh random bits: not from its neighbour": "64 个新随机位：无法由相邻 ID 推出",
  "58 fresh random bits: not from its neighbour": "58 个新随机位：无法由相邻 ID 推出",
  "57 fresh random bits": "57 个新随机位",
  "96 fresh random bits": "96 个新随机位",
  "122 random bits": "122 个随机位",
  "all its bits": "全部位",
  "easy: neighbours differ by one": "容易：相邻的只差一",
  "who knows namespace and name knows the ID": "知道命名空间和名称就知道 ID",
  "as its body": "与其主体相同",
  "when it was made": "生成时间",
  "when it was made, to 100 ns": "生成时间，精确到 100 纳秒",
  "when it was made, to 100 ns; ours has a random node, others tell the hardware address":
    "生成时间，精确到 100 纳秒；我们的节点是随机的，别家的会泄露硬件地址",
  "that the name was known": "名称曾为人所知",
  nothing: "无",
  "when and on which machine it was made": "生成的时间和机器",
  "when it was made, and which IDs came from one process": "生成时间，以及哪些 ID 出自同一进程",
  "the second it was made in": "生成时的秒",
  "what it is, and when it was made": "它是什么，以及生成时间",
  "keys that any machine can make and that sort by time": "任何机器都能生成、按时间排序的键",
  "only where an old system asks for it; else uuidv7": "仅当旧系统需要时；否则用 uuidv7",
  "only where an old system asks for it; else uuidv5": "仅当旧系统需要时；否则用 uuidv5",
  "IDs that must not tell when they were made": "不可泄露生成时间的 ID",
  "the same name shall give the same ID, everywhere and without asking":
    "同一名称处处得到同一 ID，无需询问",
  "to go on from version 1 with IDs that sort": "从版本 1 过渡到可排序的 ID",
  "primary keys in a uuid column": "uuid 列中的主键",
  "64-bit keys from many machines, if each has a number of its own":
    "多台机器的 64 位键，每台须有自己的编号",
  "sortable IDs with room to spare, where 20 bytes are no matter":
    "可排序且余量充足，不在乎 20 字节时",
  "IDs that people read aloud and type in: mistyped is not missing":
    "供人朗读和输入的 ID：输错不等于不存在",
  "IDs that customers see: an order is never taken for a user":
    "客户可见的 ID：订单绝不会被当作用户",
  MongoDB: "MongoDB",
  "128 bits, 26 characters of Crockford base32": "128 位，26 个 Crockford base32 字符",
  "128 bits, 36 characters": "128 位，36 个字符",
  "63 bits, up to 19 digits": "63 位，至多 19 位数字",
  "96 bits, 24 hex digits": "96 位，24 个十六进制数字",
  "160 bits, 27 characters of base62": "160 位，27 个 base62 字符",
  "any number of bits; 60 are 12+1 characters, 120 are 24+1":
    "任意位数；60 位为 12+1 个字符，120 位为 24+1 个",
  "128 bits and a prefix": "128 位加前缀",
  "A resource name is collection/id, up to eight times, as in books/1/pages/2.":
    "资源名是“集合/ID”，至多八层，例如 books/1/pages/2。",
};

export const patterns: readonly (readonly [RegExp, string])[] = [
  [/^its time, (.+), is before the kind existed$/, "其时间 $1 早于该种类的出现"],
  [/^its time, (.+), is in the future$/, "其时间 $1 在未来"],
  [/^time and fields are those of (.+)$/, "时间和字段按 $1 解读"],
  [/^has an? (.+) in it: (.+)$/, "其中含有 $1：$2"],
  [/^(\d+) of (\d+) characters$/, "$2 个字符中只有 $1 个"],
  [/^the check fits: (\d+) bits and (\d+) check symbols?$/, "校验相符：$1 位和 $2 个校验符"],
  [
    /^mistyped, or not checked at all: the check symbol does not fit, (.) would$/,
    "输入有误，或本无校验：校验符不符，应为 $1",
  ],
  [/^mistyped: the check symbol does not fit at offset (\d+)$/, "输入有误：位置 $1 处的校验符不符"],
  [/^not a resource name at offset (\d+)$/, "不是资源名，问题在位置 $1"],
  [/^one chance in (.+) × 10\^(\d+)$/, "$1 × 10^$2 分之一的机会"],
  [/^one chance in (.+) million$/, "$1 百万分之一的机会"],
  [/^one chance in (.+) billion$/, "$1 × 10^9 分之一的机会"],
  [/^one chance in (.+)$/, "$1 分之一的机会"],
  [/^UUID: (.+)$/, "UUID：$1"],
];
