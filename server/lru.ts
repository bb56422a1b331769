/** Sets an entry of a cache as the most recently used one. Of more than `max` entries, the least recently used one goes. */
export const putRecent = <K, V>(cache: Map<K, V>, key: K, value: V, max: number): void => {
  // Maps iterate in insertion order.
  cache.delete(key)
  cache.set(key, value)
  if (cache.size > max) cache.delete(cache.keys().next().value as K)
}
