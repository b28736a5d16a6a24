// Works out the commitment, the chain and every shuffle of a record, as docs/record.md describes them. It has a SHA-256
// of its own, since browsers lend theirs to pages from the web alone, and this one may be a file.
(() => {
  "use strict";
  const bytes = (text) => new TextEncoder().encode(text);
  const primes = [];
  for (let n = 2; primes.length < 64; n += 1) if (primes.every((prime) => n % prime)) primes.push(n);
  const fraction = (value) => Math.floor((value - Math.floor(value)) * 2 ** 32) | 0;
  const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
  const ADDED = primes.map((prime) => fraction(Math.cbrt(prime)));
  const turn = (word, by) => (word >>> by) | (word << (32 - by));

  const padded = (data) => {
    const whole = new Uint8Array(Math.ceil((data.length + 9) / 64) * 64);
    whole.set(data);
    whole[data.length] = 0x80;
    const view = new DataView(whole.buffer);
    view.setUint32(whole.length - 8, Math.floor(data.length / 2 ** 29));
    view.setUint32(whole.length - 4, (data.length * 8) >>> 0);
    return view;
  };
  const mixed = (state, words) => {
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i += 1) {
      const choice = (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g));
      const first = (h + choice + ADDED[i] + words[i]) | 0;
      const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    return [a, b, c, d, e, f, g, h].map((word, i) => (word + state[i]) | 0);
  };
  const digest = (data) => {
    const view = padded(data);
    let state = START;
    for (let block = 0; block < view.byteLength; block += 64) {
      const words = Array.from({ length: 16 }, (_, i) => view.getInt32(block + 4 * i));
      for (let i = 16; i < 64; i += 1) {
        const [x, y] = [words[i - 15], words[i - 2]];
        const small = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
        const large = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
        words.push((words[i - 16] + small + words[i - 7] + large) | 0);
      }
      state = mixed(state, words);
    }
    const out = new DataView(new ArrayBuffer(32));
    state.forEach((word, i) => out.setInt32(4 * i, word));
    return new Uint8Array(out.buffer);
  };
  const hex = (data) => Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const sha256 = (text) => hex(digest(bytes(text)));
  const ofLines = (...lines) => sha256(lines.map((line) => `${line}\n`).join(""));

  const canonical = (value) => {
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    const pairs = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
    return `{${pairs.join(",")}}`;
  };

  /** Numbers from a seed: `below(bound)` gives the next one. */
  const stream = (seed) => {
    let [block, buffer, at] = [0, new Uint8Array(0), 0];
    const word = () => {
      if (at === buffer.length) {
        const data = new Uint8Array(40);
        data.set(seed);
        new DataView(data.buffer).setUint32(36, block);
        [block, buffer, at] = [block + 1, digest(data), 0];
      }
      at += 4;
      return new DataView(buffer.buffer).getUint32(at - 4);
    };
    return (bound) => {
      const limit = 2 ** 32 - (2 ** 32 % bound);
      let drawn = word();
      while (drawn >= limit) drawn = word();
      return drawn % bound;
    };
  };
  const fromHex = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
  const shuffled = ({ header, secret }, number, size) => {
    const seed = ofLines("pbem shuffle 1", header.game, secret, number, ...header.phrases);
    const below = stream(fromHex(seed));
    const order = Array.from({ length: size }, (_, i) => i);
    for (let last = size - 1; last > 0; last -= 1) {
      const other = below(last + 1);
      [order[last], order[other]] = [order[other], order[last]];
    }
    return order;
  };

  const HASH = /^[0-9a-f]{64}$/;
  const LINE = /^[^\p{C}\p{Z}]{1,80}$/u;
  /** Whether it has the form of a record: a line end within a value could hide what is hashed. */
  const formed = ({ header, secret, entries }) =>
    header.format === 1 && LINE.test(header.game) && header.phrases.length <= header.seats && entries.every(({ what }) => what)
    && [secret, header.commitment, ...header.phrases].every((each) => HASH.test(each));
  const committed = ({ header, secret }) => ofLines("pbem commitment 1", header.game, secret) === header.commitment;
  /** All hashes of the chain as they should be, that of the header first. */
  const chain = ({ header, secret, entries }) => {
    const hashes = [sha256(`${ofLines("pbem salt 1", header.game, secret)}\n${canonical(header)}`)];
    entries.forEach(({ what }, i) => hashes.push(sha256(`${hashes[i]}\n${canonical({ n: i + 1, what })}`)));
    return hashes;
  };
  /** The number of the first entry that is not linked as it should be; 0 if all are. */
  const broken = (record, hashes) => {
    const wrong = record.entries.findIndex((entry, i) => entry.n !== i + 1 || entry.hash !== hashes[i + 1]);
    return wrong + 1;
  };
  /** How many shuffles there are, and the entry of the first one that came out otherwise; 0 if none did. */
  const dealt = (record) => {
    const deals = record.entries.filter(({ what }) => what.type === "deal");
    const wrong = deals.find(({ what }, i) =>
      what.number !== i + 1 || canonical(what.order) !== canonical(shuffled(record, i + 1, what.order.length)));
    return [deals.length, wrong ? wrong.n : 0];
  };

  const SHORTEST = 8;
  const starts = (whole, text) => text.length >= SHORTEST && whole.startsWith(text);

  /** What was found, as [whether it is well, the name of a word, a number for it]. */
  const checked = (record, own) => {
    const hashes = chain(record);
    const [count, wrongDeal] = dealt(record);
    const flaw = broken(record, hashes);
    const found = [
      committed(record) ? [true, "commitment"] : [false, "commitment-bad"],
      flaw ? [false, "chain-bad", flaw] : [true, "chain", record.entries.length],
      wrongDeal ? [false, "deal-bad", wrongDeal] : [true, "deals", count],
    ];
    if (!flaw && record.head !== hashes.at(-1)) found.push([false, "head-bad"]);
    if (own.head) {
      const n = hashes.findIndex((hash) => starts(hash, own.head));
      found.push(n < 0 ? [false, "own-head-bad"] : [true, "own-head", n]);
    }
    if (own.commitment) {
      const same = starts(record.header.commitment, own.commitment);
      found.push(same ? [true, "own-commitment"] : [false, "own-commitment-bad"]);
    }
    if (own.phrase) {
      const there = record.header.phrases.includes(ofLines("pbem phrase 1", record.header.game, own.seat, own.phrase));
      found.push(there ? [true, "own-phrase"] : [false, "own-phrase-bad"]);
    }
    return found;
  };

  const field = (name) => document.getElementById(`check-${name}`);
  const words = new Map(
    [...field("words").content.querySelectorAll("[data-word]")].map((each) => [each.dataset.word, each.textContent]));
  const say = (found) => {
    const well = found.every(([fits]) => fits);
    const verdict = document.createElement("p");
    verdict.className = well ? "well" : "bad";
    verdict.textContent = words.get(well ? "holds" : "fails");
    const list = document.createElement("ul");
    for (const [fits, word, n] of found) {
      const line = document.createElement("li");
      line.textContent = `${fits ? "✓" : "✗"} ${words.get(word).replace("{n}", n)}`;
      list.append(line);
    }
    document.getElementById("found").replaceChildren(verdict, list);
  };

  const copied = (name) => field(name).value.trim().toLowerCase();
  const check = async () => {
    const file = field("file").files[0];
    const text = file ? await file.text() : document.getElementById("record").textContent;
    const own = {
      head: copied("head"), commitment: copied("commitment"), seat: field("seat").value, phrase: field("phrase").value,
    };
    try {
      const record = JSON.parse(text);
      say(formed(record) ? checked(record, own) : [[false, "format"]]);
    } catch {
      say([[false, "format"]]);
    }
  };
  field("now").addEventListener("click", check);
  document.getElementById("check").hidden = false;
})();
