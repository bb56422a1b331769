-- Which transaction made a change: a process that has counted an owner's records asks whether any change
-- has come since the snapshot of its count, instead of counting anew (decision 0032). In a restored trail the numbers
-- are those of another database; one that is yet to come here makes counts anew, and no wrong ones.
alter table changes add column xid xid8 not null default pg_current_xact_id();
create index changes_since on changes (owner, xid);

-- Who had a business until now learns where it went, as with the records below it: whatever an owner no
-- longer has is in the owner's trail.
create function note_handover() returns trigger language plpgsql as $$
declare
  actor constant text := coalesce(nullif(current_setting('voltleaf.actor', true), ''), 'server');
  number constant bigint := nextval('record_version');
begin
  insert into changes (id, version, owner, collection, record, business, site, action,
      actor_type, actor, impersonator, before, after)
    values (lpad(to_hex(number), 15, '0'), number, old."user", 'businesses', new.id, new.id, '', 'update',
      split_part(actor, ' ', 1), split_part(actor, ' ', 2), split_part(actor, ' ', 3),
      jsonb_build_object('user', old."user"), jsonb_build_object('user', new."user"));
  return null;
end
$$;
create trigger businesses_handover after update of "user" on businesses
  for each row when (old."user" <> new."user") execute function note_handover();
