-- What several requests have in common, such as those of one bulk update (decision 0083).
alter table change_log add column correlation_id text collate "C" not null default '';
create index change_log_correlation on change_log (owner, correlation_id, created, id)
  where correlation_id <> '';

create or replace view changes as
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
    created, version, filled_in, correlation_id
  from change_log where kept;
