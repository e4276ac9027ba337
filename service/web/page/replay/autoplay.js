/** Moves through the versions of a recording, by hand or by itself. */

export const SPEEDS = [0.5, 1, 2, 4, 8];
const SECOND_MS = 1000;

/**
 * The base of what the controls of a replay step through.
 *
 * A subclass has `version`, `start`, `last`, `recording` and `go(version, { keepsPlaying })`, and says what happens when
 * it begins to play (`begin`), before each step (`arrival`), and after the last one (`finish`).
 */
export class Autoplay extends EventTarget {
  speed = 1;

  playing = false;

  #runs = 0;

  first() {
    this.go(this.start);
  }

  end() {
    this.go(this.last);
  }

  /** Goes to the next or previous start of a round, or to the end or beginning. */
  round(direction) {
    const begins = this.recording.rounds.map(({ version }) => version);
    this.go(direction > 0 ? begins.find((version) => version > this.version) ?? this.last
      : begins.findLast((version) => version < this.version) ?? this.start);
  }

  toggle() {
    if (this.playing) this.stop();
    else this.play();
    this.tell();
  }

  pace(speed) {
    this.speed = Math.min(Math.max(speed, SPEEDS[0]), SPEEDS.at(-1));
    if (this.playing) this.play();
    this.tell();
  }

  stop() {
    this.#runs += 1;
    this.playing = false;
  }

  async play() {
    this.#runs += 1;
    const run = this.#runs;
    this.playing = true;
    this.begin();
    for (let due = performance.now() + SECOND_MS / this.speed; ; due += SECOND_MS / this.speed) {
      await new Promise((resolve) => { setTimeout(resolve, due - performance.now()); });
      if (run !== this.#runs) return;
      const next = this.recording.adjacent(this.version, 1);
      if (next === undefined) break;
      // Wait for the table, or the words would run ahead of the picture.
      await this.arrival(next);
      if (run !== this.#runs) return;
      this.go(next, { keepsPlaying: true });
    }
    this.finish();
  }

  tell() {
    this.dispatchEvent(new Event('change'));
  }
}
