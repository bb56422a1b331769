/** The share of a limited amount that one body takes. */
export interface Share {
  /** The account that sends it, and its address. */
  readonly caller: string
  readonly address: string
  /** The current rate, in bytes per second; undefined once the body is complete. */
  readonly pace: () => number | undefined
  /** Called when the share is reassigned to another body. */
  readonly abort: () => void
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

  /** Takes more of the amount for a body. @returns false, and takes nothing, if there is not enough */
  take(share: Share, amount: number): boolean {
    while (!this.#fits(share, amount)) {
      const victim = this.#findVictim(share, amount)
      if (victim === undefined) return false
      this.release(victim)
      victim.abort()
    }
    this.#add(share, amount)
    return true
  }

  /** Releases everything that a body has taken. */
  release(share: Share): void {
    this.#add(share, -(this.#taken.get(share) ?? 0))
    this.#taken.delete(share)
  }

  #fits(share: Share, amount: number): boolean {
    return this.#lacking(share, amount) === undefined
  }

  /** The limit that is reached: of the caller, of the address, or of all. */
  #lacking(share: Share, amount: number): 'caller' | 'address' | 'all' | undefined {
    const { total, perCaller, perAddress } = this.#options
    if (this.#ofOwner(callerKey(share)) + amount > perCaller) return 'caller'
    if (this.#ofOwner(addressKey(share)) + amount > perAddress) return 'address'
    return this.#used + amount > total ? 'all' : undefined
  }

  #findVictim(share: Share, amount: number): Share | undefined {
    const lacking = this.#lacking(share, amount)
    const own = this.#weight(share) + 2 * amount
    let found:
      | { readonly share: Share; readonly isSlow: boolean; readonly weight: number }
      | undefined
    for (const other of this.#taken.keys()) {
      const pace = other === share ? undefined : other.pace()
      if (pace === undefined) continue
      if (lacking === 'caller' && other.caller !== share.caller) continue
      if (lacking === 'address' && other.address !== share.address) continue
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
