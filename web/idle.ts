/** Runs a task once the browser is idle, or after `otherwiseMs` if the browser has no `requestIdleCallback`. */
export const whenIdle = (task: () => void, otherwiseMs = 1000): void => {
  if (globalThis.requestIdleCallback === undefined) setTimeout(task, otherwiseMs)
  else requestIdleCallback(task)
}
