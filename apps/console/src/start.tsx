// Puts the page in the place of the frame that index.html has.

import { render } from "preact";
import "./style/tokens.css";
import "./style/base.css";
import "./style/parts.css";
import "./style/bits.css";
import "./style/pages.css";
import { App } from "./app.tsx";
import { startCore } from "./core/core.ts";
import { loadLanguage } from "./i18n/index.ts";

startCore();
const root = document.getElementById("app");
loadLanguage().then(() => {
  if (root) render(<App />, root);
});
