import type { Identifier, Query, QueryOptions, Runner, Value } from './sql.ts'

/** A statement as it is sent. */
export interface Statement {
  readonly text: string
  readonly values?: unknown[]
  readonly isPrepared: boolean
  /** Timeout for its response and the later ones of its transaction, if it is longer than that of the pool. */
  readonly answerMs?: number
}

export type Send = (statement: Statement) => Promise<readonly object[]>

/** Creates the template tag over a function that sends statements. */
export const createRunner = (send: Send): Runner => {
  const tag = (first: TemplateStringsArray | string, ...values: Value[]): Identifier | Template =>
    typeof first === 'string'
      ? new Name(first)
      : new Template(first, values, (statement) => send(statement))
  const unsafe = (
    text: string,
    values?: readonly unknown[],
    { prepare = false, answerMs }: QueryOptions = {},
  ) =>
    send({
      text,
      isPrepared: prepare,
      ...(values && { values: [...values] }),
      ...(answerMs !== undefined && { answerMs }),
    })
  return Object.assign(tag, { unsafe }) as unknown as Runner
}

class Name implements Identifier {
  readonly identifier: string

  constructor(name: string) {
    this.identifier = `"${name.replaceAll('"', '""')}"`
  }
}

/** A template, which is sent when it is first awaited. */
class Template implements Query<readonly object[]> {
  readonly [Symbol.toStringTag] = 'Query'
  readonly #strings: readonly string[]
  readonly #values: readonly Value[]
  readonly #send: Send
  #sent: Promise<readonly object[]> | undefined

  constructor(strings: readonly string[], values: readonly Value[], send: Send) {
    this.#strings = strings
    this.#values = values
    this.#send = send
  }

  // oxlint-disable-next-line unicorn/no-thenable -- awaiting a statement sends it
  then<A = readonly object[], B = never>(
    onFulfilled?: ((rows: readonly object[]) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#run().then(onFulfilled, onRejected)
  }

  catch<B = never>(
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<readonly object[] | B> {
    return this.#run().catch(onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<readonly object[]> {
    return this.#run().finally(onFinally)
  }

  #run(): Promise<readonly object[]> {
    if (this.#sent === undefined) {
      const values: unknown[] = []
      const text = this.#write(values)
      this.#sent = this.#send({ text, values, isPrepared: true })
    }
    return this.#sent
  }

  /** Appends the text; its parameters follow those in `values`. */
  #write(values: unknown[]): string {
    let text = this.#strings[0] ?? ''
    for (const [index, value] of this.#values.entries()) {
      if (value === undefined) throw new TypeError('A value of a statement is undefined.')
      if (value instanceof Template) text += value.#write(values)
      else if (value instanceof Name) text += value.identifier
      else text += `$${values.push(value)}`
      text += this.#strings[index + 1] ?? ''
    }
    return text
  }
}
