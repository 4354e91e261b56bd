// Opens the terminal of textual-serve, sends nothing too early and long pastes in parts, says why it was closed, and
// opens it again when the network or the server is back.

// By what the classroom knows this tab again when it is loaded anew; to another browser it says nothing.
function tabOfOld() {
  const isOne = (known) => /^[0-9a-f]{32}$/.test(known ?? "");
  if (!isOne(sessionStorage.getItem("tab"))) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    sessionStorage.setItem("tab", Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""));
  }
  return sessionStorage.getItem("tab");
}

const terminal = document.querySelector(".textual-terminal");
const scheme = location.protocol === "https:" ? "wss:" : "ws:";
terminal.dataset.sessionWebsocketUrl = `${scheme}//${location.host}/ws/${tabOfOld()}`;

const GONE = [1001, 1006]; // codes of a server that ends, and of a connection that is lost
const AGAIN = 1000; // milliseconds after which it is tried again, and as much more by lot

async function comeBack() {
  try {
    if ((await fetch("/", { method: "HEAD", cache: "no-store" })).ok) return location.reload();
  } catch {
    // nobody answers yet
  }
  setTimeout(comeBack, AGAIN + AGAIN * Math.random());
}

window.addEventListener("pageshow", (event) => event.persisted && location.reload()); // by Back, without its connection

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
      if (GONE.includes(event.code)) {
        document.body.classList.add("-comes-back");
        setTimeout(comeBack, AGAIN * Math.random());
      }
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
