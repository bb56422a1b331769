-- Whoever ends an account's sessions also ends what they hold open: every process that has streams of
-- the account hears of it, when and only when it is committed.
create or replace function end_sessions(account_user text, account_superuser text) returns void
language plpgsql as $$
begin
  delete from sessions where "user" = account_user or superuser = account_superuser;
  delete from mail_links where "user" = account_user or superuser = account_superuser;
  if is_listened_to() then
    perform pg_notify('realtime', 'ended ' || coalesce(account_user, account_superuser));
  end if;
end
$$;
