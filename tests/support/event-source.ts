/** An event of a stream. */
export interface Message {
  readonly event: string
  readonly data: string
  /** The id that was sent with the event itself. */
  readonly id: string | undefined
}

/** The part of `EventSource` that the SDK uses, for Node. It does not reconnect, because the SDK does. */
export class TestEventSource extends EventTarget {
  /** Every stream opened so far. */
  static readonly opened: TestEventSource[] = []

  readonly url: string
  readonly messages: Message[] = []
  readonly comments: string[] = []
  headers = new Headers()
  onerror: ((event: Event) => void) | null = null
  isOver = false
  readonly #abort = new AbortController()

  constructor(url: string) {
    super()
    this.url = url
    TestEventSource.opened.push(this)
    void this.#read()
  }

  close(): void {
    this.isOver = true
    this.#abort.abort()
  }

  async #read(): Promise<void> {
    try {
      const response = await fetch(this.url, {
        headers: { accept: 'text/event-stream', 'accept-encoding': 'br, gzip' },
        signal: this.#abort.signal,
      })
      this.headers = response.headers
      if (response.status !== 200) throw new Error(`status ${response.status}`)
      let text = ''
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const blocks = (text + chunk).split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) this.#take(block)
      }
      throw new Error('the stream ended')
    } catch {
      if (this.isOver) return
      this.isOver = true
      this.onerror?.(new Event('error'))
    }
  }

  #take(block: string): void {
    const fields = new Map<string, string>()
    for (const line of block.split('\n')) {
      const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
      if (name === '') this.comments.push(value)
      else fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value)
    }
    const data = fields.get('data')
    if (data === undefined) return
    const message = { event: fields.get('event') ?? 'message', data, id: fields.get('id') }
    this.messages.push(message)
    this.dispatchEvent(new MessageEvent(message.event, { data, lastEventId: message.id ?? '' }))
  }
}

/** Provides the global `EventSource`, which Node lacks. */
export const provideEventSource = (): void => {
  Object.assign(globalThis, { EventSource: TestEventSource })
}
