-- One log of what was written, for the audit log and for realtime. The functions and triggers that write it are
-- in ../triggers.ts: they are code, and are created again with the last of these files (decision 0057).
drop function announce_record() cascade;
drop function note_change() cascade;
drop function note_handover() cascade;
drop function belonging(text, jsonb);
drop function owner_of_site(text);
drop function owner_of_business(text);
drop table record_states;

alter table changes rename to change_log;
alter index changes_pkey rename to change_log_pkey;
alter index changes_owner rename to change_log_owner;
alter index changes_record rename to change_log_record;
-- The record as it was written; of a deleted one, the last state. An older entry has what it recorded of it.
alter table change_log add column state jsonb;
-- Part of the audit log. Anything else is there for realtime alone, and removed within minutes.
alter table change_log add column kept boolean not null default true;
-- Of an account that was deleted: the sessions that ended with it, which still hear what ended with it.
alter table change_log add column ended_sessions text[] collate "C" not null default '{}';
update change_log set
  state = case action when 'delete' then before else after end,
  before = case action when 'update' then before else '{}' end;
alter table change_log alter column state set not null, drop column after;
-- Of an update, the values that changed as they were.
alter table change_log alter column before set default '{}';
create index change_log_told on change_log (created) where not kept;

-- The audit log: of each change, the values before and after it. What the row of the log says itself is left out.
create view changes as
  select id, owner, collection, record, business, site, action, actor_type, actor, impersonator,
    case action
      when 'delete' then state - '{id,created,updated,version}'::text[]
      else before
    end as before,
    case action
      when 'create' then state - '{id,created,updated,version}'::text[]
      when 'update' then
        (select coalesce(jsonb_object_agg(key, state -> key), '{}') from jsonb_object_keys(before) key)
      else '{}'
    end as after,
    created, version
  from change_log where kept;
