// Opens the terminal of textual-serve, and says why it was closed.
const terminal = document.querySelector(".textual-terminal");
terminal.dataset.sessionWebsocketUrl = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws`;

window.WebSocket = class extends window.WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener("close", (event) => {
      document.querySelector("#why").textContent =
        event.reason || "The connection to the classroom was lost; your work is saved.";
      document.body.classList.add("-closed");
    });
  }
};

// The terminal measures its letters once, so the font has to be there first.
document.fonts.load('16px "Roboto Mono"').finally(() => {
  const script = document.createElement("script");
  script.src = "/static/js/textual.js";
  script.onload = () => {
    const focus = () => document.querySelector(".xterm-helper-textarea")?.focus();
    window.addEventListener("focus", focus);
    // The script waits for the page; it must not be told twice that this is there.
    if (document.readyState === "complete") window.onload(new Event("load"));
    setTimeout(focus, 100);
  };
  document.body.append(script);
});
