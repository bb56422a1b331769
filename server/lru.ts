/**
 * Sets a cache entry as the most recently used one. Evicts the least recently used entry if there are more than `max`.
 */
export const putRecent = <K, V>(cache: Map<K, V>, key: K, value: V, max: number): void => {
  // Maps iterate in insertion order.
  cache.delete(key)
  cache.set(key, value)
  if (cache.size > max) cache.delete(cache.keys().next().value as K)
}
