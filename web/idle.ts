/** Runs a task once the browser is idle; one that does not tell runs it after a while. */
export const whenIdle = (task: () => void, otherwiseMs = 1000): void => {
  if (globalThis.requestIdleCallback === undefined) setTimeout(task, otherwiseMs)
  else requestIdleCallback(task)
}
