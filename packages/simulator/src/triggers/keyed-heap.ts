/** Ids by a number each: the smallest ones are found without looking at the others. */
export class KeyedHeap {
  readonly #ids: number[] = [];
  readonly #keys: number[] = [];
  readonly #places = new Map<number, number>();

  get size(): number {
    return this.#ids.length;
  }

  /** Puts an id in that is not there. O(log n). */
  add(id: number, key: number): void {
    const place = this.#ids.length;
    this.#ids.push(id);
    this.#keys.push(key);
    this.#places.set(id, place);
    this.#up(place);
  }

  /** Takes an id out, if it is there. O(log n). */
  remove(id: number): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    const last = this.#ids.length - 1;
    this.#swap(place, last);
    this.#ids.pop();
    this.#keys.pop();
    this.#places.delete(id);
    if (place === last) return;
    this.#up(place);
    this.#down(place);
  }

  /** All ids whose number is at most `limit` (or below it), in no order. O(1 + found). */
  upTo(limit: number, reach: 'INCLUDED' | 'BELOW'): number[] {
    const found: number[] = [];
    const open = [0];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      const key = this.#keys[place];
      if (key === undefined || key > limit || (key === limit && reach === 'BELOW')) continue;
      found.push(this.#ids[place] as number);
      open.push(2 * place + 1, 2 * place + 2);
    }
    return found;
  }

  #up(from: number): void {
    for (let place = from; place > 0; ) {
      const above = (place - 1) >> 1;
      if (this.#key(above) <= this.#key(place)) return;
      this.#swap(above, place);
      place = above;
    }
  }

  #down(from: number): void {
    for (let place = from; ; ) {
      const [left, right] = [2 * place + 1, 2 * place + 2];
      const below = this.#key(right) < this.#key(left) ? right : left;
      if (this.#key(below) >= this.#key(place)) return;
      this.#swap(below, place);
      place = below;
    }
  }

  /** Beyond the end nothing is smaller. */
  #key(place: number): number {
    return this.#keys[place] ?? Number.POSITIVE_INFINITY;
  }

  #swap(a: number, b: number): void {
    const [idA, idB] = [this.#ids[a] as number, this.#ids[b] as number];
    [this.#ids[a], this.#ids[b]] = [idB, idA];
    [this.#keys[a], this.#keys[b]] = [this.#keys[b] as number, this.#keys[a] as number];
    this.#places.set(idA, b);
    this.#places.set(idB, a);
  }
}
