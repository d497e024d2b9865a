// What the scripts of the pages share: the page's data, what htmx says, and what a phone keeps.

/** Where a table's page finds the rest, and who looks at it; web/pages/page_data.py writes it. */
interface Site {
  /** The address of the script that looks after the connection. */
  connection: string;
  /** The addresses of the scripts of the board: what it needs at once, and what it gains by a touch. */
  board?: string;
  touch?: string;
  worker: string;
  /** The address of the page without a connection; only a table has one. */
  offline?: string;
  /** What is said while there is no connection. */
  away: string;
  /** What is said while a move waits in this phone; only a table has it. */
  unsent?: string;
  role?: string;
  /** The seat that this phone plays; null where it plays for all or for nobody. */
  seat?: Seat | null;
  plays?: boolean;
}

/** What the server tells the scripts of a page, as JSON in the element page-data. */
interface PageData {
  site: Site;
  version: number;
  /** The classes of the table, where only parts of it came. */
  look: string;
  /** Whose turn it is. */
  due: Seat | null;
  /** A board whose cells lie in rows, or anywhere; turned by so many quarters. */
  board: { free: boolean; turn: number; chosen: string[] };
  /** The board is that of an earlier moment. */
  past: boolean;
  /** A count or a question: each tap says all that is entered, so one waits for the other. */
  counts: boolean;
  game: string;
  /** The move that is looked at, in words. */
  move: string | null;
  /** Why what was sent was not entered; `ruled`: the rules say so, and would again. */
  refusal: { text: string; ruled: boolean };
  signals: {
    on: string[];
    seat: Seat | null;
    /** Whether it is this phone's own turn; null where it plays for all, or for nobody. */
    mine: boolean | null;
    /** Seconds since the last entry, from how many on none counts, and what the running clock shows without them. */
    since: number;
    pause: number;
    spent: number | null;
  };
  /** The step of the game that is shown, its round, and the address of the script of the slider. */
  step: number;
  round: number;
  leads: string;
  /** Where the first and the last step are on the chart. */
  chart: [number, number];
  /** When the game of a form was entered last, or now, as ISO 8601. */
  at: string;
  words: Record<string, string>;
  /** The addresses of what the page without a connection brings. */
  files: { style: string; list: string; sending: string; waits: string };
}

type Seat = string;

/** A move that was legal: its notation, its words, its kind, its cells, who plays after it, what tells it from others. */
type LegalMove = [notation: string, words: string, kind: string, cells: string[], then: Seat | null, apart: string];

/** What a phone keeps of a table, see web/pages/offline_moves.py; and whose phone it is. */
interface Ahead {
  version?: number;
  due?: Seat | null;
  seats?: [Seat, string][];
  kinds?: Record<string, string>;
  moves: LegalMove[];
  /** These are not all that are legal. */
  some?: boolean;
  /** Who plays after a move by whom: by who would after the same move now. */
  passes?: Record<Seat, Record<Seat, Seat>>;
  /** What moves look like, by who plays them; and of each move, which of these it has and on which cells it lies. */
  pictures?: Record<Seat, string[]>;
  ghosts?: [picture: number, cells: string[]][];
  role?: string;
  seat?: Seat | null;
  /** Whether moves can be entered from this phone. */
  plays?: boolean;
  /** Another table is looked at since. */
  left?: boolean;
}

/** The board of a table as it was seen last, with the drawings that it uses, as markup. */
interface LastBoard {
  board: string;
  symbols: string;
}

/** What waits to be sent. */
interface Entry {
  key: string;
  /** Where it is sent, and with what. */
  action: string;
  fields: [string, FormDataEntryValue | number][];
  /** The version that it was meant for, or the key of what it comes after. */
  version: number;
  after?: string | null;
  /** In words, and the cells that it touches. */
  what: string;
  cells: string[];
  /** On which cells its piece will lie, and what it looks like, by who plays it. */
  ghost?: { cells: string[]; pictures: Record<Seat, string> } | null;
  /** Who plays after it, by who plays it; certain where it was legal then. */
  passes: Record<Seat, Seat> | null;
  exact: boolean;
  /** Whose it is, and whether that is certain. */
  seat?: Seat | null;
  sure?: boolean;
  /** Why it is not sent: a word of the page's, or a sentence of the referee. */
  trouble?: string | null;
  ruled?: boolean;
  /** Another move is being chosen in its place. */
  changing?: boolean;
}

/** What scripts find by its id. Where a page need not have it, they ask first. */
interface Elements {
  table: HTMLElement;
  board: HTMLElement;
  squares: SVGSVGElement;
  symbols: SVGSVGElement & HTMLElement;
  "last-board": HTMLElement;
  panel: HTMLElement;
  below: HTMLElement;
  trouble: HTMLElement;
  join: TableForm | null;
  place: HTMLButtonElement | null;
  step: HTMLInputElement;
  round: HTMLSelectElement | null;
  chart: SVGSVGElement & HTMLElement;
  "offline-parts": HTMLTemplateElement;
  "outbox-back": HTMLButtonElement;
  "outbox-choosing": HTMLElement;
  "outbox-known": HTMLElement;
  "outbox-legal": HTMLElement;
  "outbox-move": HTMLInputElement;
  "outbox-moves": HTMLElement;
  "outbox-says": HTMLElement;
  "outbox-so-far": HTMLElement;
  "outbox-typed": HTMLFormElement;
  outbox: HTMLElement;
  print: HTMLElement;
  chat: HTMLTextAreaElement;
  waits: HTMLElement;
  cells: SVGGElement & HTMLElement;
  ground: SVGGElement & HTMLElement;
  photo: HTMLDetailsElement;
  "photo-corners": HTMLTemplateElement;
  "photo-cover": HTMLInputElement;
  "photo-failed": HTMLElement;
  "photo-first": HTMLElement;
  "photo-lost": HTMLElement;
}
type ElementById = <Id extends string>(id: Id | undefined) => Id extends keyof Elements ? Elements[Id] : HTMLElement | null;

/** The fields that forms of a table have, each where it is of use. */
interface TableForm extends HTMLFormElement {
  elements: HTMLFormControlsCollection & Record<"by" | "key" | "move", HTMLInputElement>;
}

// --- without a connection ----------------------------------------------------------------------------------------------

type Timer = ReturnType<typeof setTimeout> | undefined;
type Outbox = import("./static/outbox.js").Outbox;

/** What offline.js lends to the scripts that it brings. */
interface Connection {
  path: string;
  outbox: Outbox;
  ahead(): Ahead;
  words: Record<string, string>;
  files: PageData["files"];
  /** The seat that this phone plays; null where it plays for all. */
  mine: Seat | null;
  /** The keys of what is under way. */
  flying: Set<string | undefined>;
  /** How long an answer is waited for, in milliseconds, and the status of too many requests. */
  longest: number;
  busy: number;
  ofMove(notation: string): Entry;
  take(entry: Entry): void;
  flush(): unknown;
  later(pause?: number): void;
  /** Whether what waits is in the log by now. */
  inLog(entry: Entry): Promise<boolean>;
  /** There is no connection; there is one. */
  lost(): void;
  found(): void;
  draw(): void;
  trouble(word: string | null): void;
}
interface OutboxList {
  draw(entries: Entry[], shown: boolean, gone: boolean): void;
  choose(at: string | null, kind: string | null, known: LegalMove[] | null): void;
  known(): void;
  ring(): void;
  say(word: string): void;
  taken(): void;
  conflict(entry: Entry): unknown;
}
interface Sender {
  (): unknown;
  inLog(entry: Entry): Promise<boolean>;
}

// --- htmx 2 ------------------------------------------------------------------------------------------------------------

interface HtmxRequest {
  elt: HTMLElement;
  target: HTMLElement;
  verb: string;
  path: string;
  parameters: Record<string, string>;
  triggeringEvent?: Event & { submitter?: HTMLElement | null };
  /** Set by app.js: the page asks for news by itself. */
  news?: boolean;
}
interface HtmxDetail {
  /** Of a question that is about to be asked: where. */
  path: string;
  elt: HTMLElement;
  target: HTMLElement;
  headers: Record<string, string>;
  xhr: XMLHttpRequest;
  requestConfig: HtmxRequest;
  history: { type: string; path: string };
  shouldSwap: boolean;
  news?: boolean;
}
type HtmxEvent = CustomEvent<HtmxDetail>;
interface Htmx {
  config: object;
  ajax(verb: string, path: string, context: object): Promise<void>;
  trigger(element: Element, event: string): void;
  defineExtension(name: string, extension: object): void;
}
interface Window {
  htmx?: Htmx;
}
interface DocumentEventMap {
  "htmx:abort": HtmxEvent;
  "htmx:afterRequest": HtmxEvent;
  "htmx:afterSettle": HtmxEvent;
  "htmx:afterSwap": HtmxEvent;
  "htmx:beforeHistoryUpdate": HtmxEvent;
  "htmx:beforeRequest": HtmxEvent;
  "htmx:beforeSend": HtmxEvent;
  "htmx:beforeSwap": HtmxEvent;
  "htmx:configRequest": HtmxEvent;
  "htmx:pushedIntoHistory": HtmxEvent;
  "htmx:replacedInHistory": HtmxEvent;
  "htmx:responseError": HtmxEvent;
  "htmx:sendError": HtmxEvent;
  "htmx:timeout": HtmxEvent;
  "bastide:enlarged": Event;
  "bastide:settled": Event;
  "bastide:silent": Event;
}
