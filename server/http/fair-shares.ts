/** The limit that is exceeded: of the account, of the address, or of all bodies. */
export type ExceededLimit = 'caller' | 'address' | 'all'

/** The share of a limited amount that one body takes. */
export interface Share {
  /** The account that sends it, and its address. */
  readonly caller: string
  readonly address: string
  /** The current rate, in bytes per second; undefined once the body is complete. */
  readonly pace: () => number | undefined
  /** Called when the share is reassigned to another body, which exceeds this limit. */
  readonly abort: (exceeded: ExceededLimit) => void
}

export interface FairSharesOptions {
  readonly total: number
  readonly perCaller: number
  readonly perAddress: number
  /** Below this rate a body counts as slow. */
  readonly slowBytesPerS: number
}

/**
 * Shares a limited amount among accounts and addresses. Once it is used up, a body that is still arriving is
 * aborted: first a slow one, then one of a caller with a larger share than the new one, by account and by address.
 * So neither many connections nor many accounts nor slow sending can lock out others.
 */
export class FairShares {
  readonly #options: FairSharesOptions
  readonly #taken = new Map<Share, number>()
  readonly #byOwner = new Map<string, number>()
  #used = 0

  constructor(options: FairSharesOptions) {
    this.#options = options
  }

  get used(): number {
    return this.#used
  }

  /** Takes more of the amount for a body. @returns the limit that it exceeds; it then takes nothing */
  take(share: Share, amount: number): ExceededLimit | undefined {
    for (;;) {
      const exceeded = this.#exceeded(share, amount)
      if (exceeded === undefined) break
      const victim = this.#findVictim(share, amount, exceeded)
      if (victim === undefined) return exceeded
      this.release(victim)
      victim.abort(exceeded)
    }
    this.#add(share, amount)
    return undefined
  }

  /** Releases everything that a body has taken. */
  release(share: Share): void {
    this.#add(share, -(this.#taken.get(share) ?? 0))
    this.#taken.delete(share)
  }

  #exceeded(share: Share, amount: number): ExceededLimit | undefined {
    const { total, perCaller, perAddress } = this.#options
    if (this.#ofOwner(callerKey(share)) + amount > perCaller) return 'caller'
    if (this.#ofOwner(addressKey(share)) + amount > perAddress) return 'address'
    return this.#used + amount > total ? 'all' : undefined
  }

  #findVictim(share: Share, amount: number, exceeded: ExceededLimit): Share | undefined {
    const own = this.#weight(share) + 2 * amount
    let found:
      | { readonly share: Share; readonly isSlow: boolean; readonly weight: number }
      | undefined
    for (const other of this.#taken.keys()) {
      const pace = other === share ? undefined : other.pace()
      if (pace === undefined) continue
      if (exceeded === 'caller' && other.caller !== share.caller) continue
      if (exceeded === 'address' && other.address !== share.address) continue
      const isSlow = pace < this.#options.slowBytesPerS
      const weight = this.#weight(other)
      if (!isSlow && weight <= own) continue
      const isBefore =
        found === undefined || (isSlow === found.isSlow ? weight > found.weight : isSlow)
      if (isBefore) found = { share: other, isSlow, weight }
    }
    return found?.share
  }

  #weight(share: Share): number {
    return this.#ofOwner(callerKey(share)) + this.#ofOwner(addressKey(share))
  }

  #ofOwner(key: string): number {
    return this.#byOwner.get(key) ?? 0
  }

  #add(share: Share, amount: number): void {
    this.#used += amount
    this.#taken.set(share, (this.#taken.get(share) ?? 0) + amount)
    for (const key of [callerKey(share), addressKey(share)]) {
      const left = this.#ofOwner(key) + amount
      if (left > 0) this.#byOwner.set(key, left)
      else this.#byOwner.delete(key)
    }
  }
}

const callerKey = ({ caller }: Share): string => `caller ${caller}`
const addressKey = ({ address }: Share): string => `address ${address}`
