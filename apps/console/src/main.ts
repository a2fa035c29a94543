// The entry of the console: lets the browser paint the frame in index.html, then starts the page.
// A tab in the background paints nothing, and must not wait for it.

const kUnseenMs = 200;

function painted(): Promise<void> {
  return new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, kUnseenMs);
  });
}

painted().then(() => import("./start.tsx"));

export {};
