-- Whoever continues a session holds its row, and whoever ends the sessions of an account takes them all first: what was
-- opened meanwhile is seen by the delete, which is another statement.
create or replace function end_sessions(account_user text, account_superuser text) returns void
language plpgsql as $$
begin
  perform 1 from sessions where "user" = account_user or superuser = account_superuser order by id for update;
  delete from sessions where "user" = account_user or superuser = account_superuser;
  delete from mail_links where "user" = account_user or superuser = account_superuser;
  if is_listened_to() then
    perform pg_notify('realtime', 'ended ' || coalesce(account_user, account_superuser));
  end if;
end
$$;
