import type { Runner } from '../db/sql.ts'

/** Counts the rows of an import by planned action and by state. */
export const noteCounts = async (runner: Runner, id: string): Promise<void> => {
  await runner`
    update imports i set updated = now(), version = nextval('record_version'), counts = (
      select jsonb_build_object(
        'NEW', count(*) filter (where action = 'NEW'),
        'CHANGED', count(*) filter (where action = 'CHANGED'),
        'UNCHANGED', count(*) filter (where action = 'UNCHANGED'),
        'MISSING', count(*) filter (where action = 'MISSING'),
        'REFUSED', count(*) filter (where action = 'REFUSED'),
        'repaired', count(*) filter (where repaired),
        'questions', count(*) filter (where open_questions > 0),
        'unanswered', count(*) filter (where action = 'REFUSED' and open_questions > 0),
        'doubtful', count(*) filter (where doubtful),
        'included', count(*) filter (where included and (action <> 'MISSING' or i.missing = 'REMOVE')),
        'closing', count(*) filter (where included and action = 'MISSING' and i.missing = 'REMOVE'),
        'left_out', count(*) filter (where not included
          and (action in ('NEW', 'CHANGED') or action = 'MISSING' and i.missing = 'REMOVE')),
        'connectors', coalesce(sum(connectors) filter (where action <> 'REFUSED'), 0),
        'new_connectors', coalesce(sum(new_connectors), 0),
        -- Without those that a feed only repeats, which are not removed.
        'missing_connectors', coalesce(sum(missing_connectors)
          filter (where missing_connectors > 0 and coalesce(problem ->> 'code', '') <> 'unchanged_in_feed'), 0),
        'APPLIED', count(*) filter (where r.state = 'APPLIED'),
        'FAILED', count(*) filter (where r.state = 'FAILED'),
        'SKIPPED', count(*) filter (where r.state = 'SKIPPED'),
        'UNDONE', count(*) filter (where r.state = 'UNDONE'),
        'KEPT', count(*) filter (where r.state = 'KEPT'))
      from import_rows r where r.import = i.id)
    where i.id = ${id}`
}
