// Where the core is: built beside the page, or not at all.

export const coreUrl = () => "/assets/tessera.wasm";
