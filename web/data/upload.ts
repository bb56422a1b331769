import type { Core } from './core.ts'
import type { Environment } from './environment.ts'

/**
 * Creates a `fetch` for one request of the SDK that reports upload progress and counts among the writes of the page.
 */
export const upload =
  (
    core: Pick<Core, 'env' | 'send' | 'writes'>,
    watch: (fraction: number) => void,
  ): Environment['fetch'] =>
  (url, init) =>
    core.writes.track(
      core.send(url, init, (progress) =>
        core.env.upload((fraction) => {
          progress()
          watch(fraction)
        }),
      ),
    )
