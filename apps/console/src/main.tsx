// The entry of the console.

import { render } from "preact";

function App() {
  return <h1>Tessera</h1>;
}

const root = document.getElementById("app");
if (root) render(<App />, root);
