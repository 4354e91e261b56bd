// Opens the terminal of textual-serve, sends nothing too early and long pastes in parts, and says why it was closed.
const terminal = document.querySelector(".textual-terminal");
terminal.dataset.sessionWebsocketUrl = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws`;

const [BEGIN, END] = ["\x1b[200~", "\x1b[201~"];
const PART = /[^]{1,10000}/gu; // in whatever letters, less than a message may have
const PAUSE = 100; // milliseconds after a part, so that no more wait for the classroom than may

function inParts(message) {
  const [kind, text] = JSON.parse(message);
  if (kind !== "stdin" || !text.startsWith(BEGIN) || !text.endsWith(END)) return [message];
  const parts = text.slice(BEGIN.length, -END.length).match(PART) ?? [];
  return parts.map((part) => JSON.stringify([kind, BEGIN + part + END]));
}

window.WebSocket = class extends window.WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener("open", () => this.#sendWaiting());
    this.addEventListener("close", (event) => {
      document.querySelector("#why").textContent =
        event.reason || "The connection to the classroom was lost; your work is saved.";
      document.body.classList.add("-closed");
    });
  }

  #waiting = [];

  send(message) {
    const isFree = this.readyState === WebSocket.OPEN && !this.#waiting.length;
    this.#waiting.push(...inParts(message)); // the page has the focus, and says so, before the connection stands
    if (isFree) this.#sendWaiting();
  }

  #sendWaiting() {
    while (this.#waiting.length) {
      super.send(this.#waiting[0]);
      if (this.#waiting.length > 1) {
        setTimeout(() => {
          this.#waiting.shift();
          this.#sendWaiting();
        }, PAUSE);
        return;
      }
      this.#waiting.shift();
    }
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
