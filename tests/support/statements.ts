/**
 * Whether a statement does not belong to a request, but to a new connection or a background task. Rate limits are
 * counted for many requests together, see `limits.contract.ts`; attempts at a password are counted by the statement
 * that reads or accepts it.
 */
export const isBackground = (text: string): boolean =>
  BACKGROUND.test(text) && !/\bpasswords p\b/.test(text)

const BACKGROUND =
  /pg_catalog\.pg_type|removed_files|pg_\w*advisory|delete from (sessions where expires|change_log|realtime_messages where sent|place_numbers|imports)|from imports i?\s*where|unfilled|^listen|idempotency_keys\s+where created|rate_counts|take_tokens|delete from place_(?:hours|words)|summarize_places|is_summary_due|report_senders|delete from reports|import_work|feed_reads/i
