/** What one body takes of something that there is only so much of. */
export interface Share {
  /** The account that sends it, and the address that it comes from. */
  readonly caller: string
  readonly address: string
  /** Bytes per second at which it arrives now; undefined once all of it is there. */
  readonly pace: () => number | undefined
  /** Called when the share is taken away for another. */
  readonly giveUp: () => void
}

export interface SharesOptions {
  readonly total: number
  readonly perCaller: number
  readonly perAddress: number
  /** A body that arrives at less is slow. */
  readonly slowBytesPerS: number
}

/**
 * Shares a limited amount among accounts and addresses. When it is used up, a body that is still arriving is
 * aborted: first a slow one, then one of a caller that uses more than the new one, as account and as address.
 * So neither many connections nor many accounts nor slow sending lock others out.
 */
export class Shares {
  readonly #options: SharesOptions
  readonly #taken = new Map<Share, number>()
  readonly #byOwner = new Map<string, number>()
  #used = 0

  constructor(options: SharesOptions) {
    this.#options = options
  }

  get used(): number {
    return this.#used
  }

  /** Takes so much more for a body. @returns false when there is not enough, and nothing is taken */
  take(share: Share, amount: number): boolean {
    while (!this.#fits(share, amount)) {
      const victim = this.#findVictim(share, amount)
      if (victim === undefined) return false
      this.release(victim)
      victim.giveUp()
    }
    this.#add(share, amount)
    return true
  }

  /** Gives back all that a body has taken, if it has taken anything. */
  release(share: Share): void {
    this.#add(share, -(this.#taken.get(share) ?? 0))
    this.#taken.delete(share)
  }

  #fits(share: Share, amount: number): boolean {
    return this.#lacking(share, amount) === undefined
  }

  /** Whose part is used up: that of the caller, of the address, or all there is. */
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
