// The entry of the console.

import { render } from "preact";
import "./style/tokens.css";
import "./style/base.css";
import "./style/parts.css";
import "./style/bits.css";
import "./style/pages.css";
import { App } from "./app.tsx";
import { startCore } from "./core/core.ts";

startCore();
const root = document.getElementById("app");
if (root) render(<App />, root);
