// Answers the questions of questions.py with the package tessera-id: the same file in Node and in a page.
//
//    echo '[["check",{"what":"ulid","strict":true},["MDFBUlla…"]]]' | node answers.mjs
//
// Texts come as base64, so that they may be any bytes.

const codeOf = (answer) => [answer.error.code];

const ANSWERS = {
  check: (tessera, text, { what, strict, now }) => {
    const told = tessera.check(text, what, { strict, now });
    return told.ok ? ["valid"] : [told.error.code, told.error.offset];
  },
  inspect: (tessera, text, { now }) => tessera.inspectJson(text, { now }),
  convert: (tessera, text, { from, to, now }) => {
    const told = tessera.convert(text, to, { from, now });
    return told.ok ? told.value : codeOf(told);
  },
  time: (tessera, text, { what }) => {
    const told = tessera.time(text, what);
    return told.ok ? told.value.getTime() : codeOf(told);
  },
  range: (tessera, [what, from, to]) => {
    const { smallest, largest } = tessera.unwrap(tessera.range(what, from, to));
    return [smallest, largest];
  },
  odds: (tessera, question) => tessera.odds(question),
  new: (tessera, [what, count, options]) => tessera.newIds(what, count, options),
  names: (tessera) => Object.keys(tessera).sort(),
};

const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

export function answers(tessera, questions) {
  return questions.map(([name, options, texts]) =>
    texts.map((text) =>
      ANSWERS[name](tessera, typeof text === "string" ? bytesOf(text) : text, options),
    ),
  );
}

if (globalThis.process?.argv[1]?.endsWith("answers.mjs")) {
  let input = "";
  for await (const piece of process.stdin) input += piece;
  process.stdout.write(JSON.stringify(answers(await import("tessera-id"), JSON.parse(input))));
}
