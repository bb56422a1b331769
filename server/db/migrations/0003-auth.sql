-- Hashes of passwords, apart from the records that they belong to: whatever reads or copies a whole
-- record takes none along. An account without a row cannot sign in with a password.
create table passwords (
  "user" text collate "C" unique references users on delete cascade,
  superuser text collate "C" unique references _superusers on delete cascade,
  hash text not null,
  constraint passwords_of_one check (num_nonnulls("user", superuser) = 1)
);

-- The session of somebody whom a superuser impersonates ends when it was said to.
alter table sessions add column refreshable boolean not null default true;

-- When an address last asked for a mail, whether or not an account has it, so that asking looks the
-- same either way. What is kept is a hash of the address.
create table mail_requests (
  purpose text not null,
  collection text not null,
  address text not null,
  requested timestamptz(3) not null default now(),
  primary key (purpose, collection, address)
);

-- A link in a mail is good while its row is here: using it deletes the row.
create table mail_links (
  id text collate "C" primary key,
  purpose text not null,
  "user" text collate "C" references users on delete cascade,
  superuser text collate "C" references _superusers on delete cascade,
  email text not null,
  expires timestamptz(3) not null,
  constraint mail_links_of_one check (num_nonnulls("user", superuser) = 1)
);
create index mail_links_user on mail_links ("user");
create index mail_links_superuser on mail_links (superuser);
create index mail_links_expires on mail_links (expires);

create function end_sessions(account_user text, account_superuser text) returns void language sql as $$
  delete from sessions where "user" = account_user or superuser = account_superuser;
  delete from mail_links where "user" = account_user or superuser = account_superuser;
$$;

-- Whoever changes a password, and in whatever way, ends every session that the old one opened.
create function password_changed() returns trigger language plpgsql as $$
begin
  perform end_sessions(new."user", new.superuser);
  return null;
end
$$;
create trigger passwords_end_sessions after insert or update on passwords
  for each row execute function password_changed();

create function email_changed() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'users' then perform end_sessions(new.id, null);
  else perform end_sessions(null, new.id);
  end if;
  return null;
end
$$;
create trigger users_email_ends_sessions after update of email on users
  for each row when (old.email <> new.email) execute function email_changed();
create trigger superusers_email_ends_sessions after update of email on _superusers
  for each row when (old.email <> new.email) execute function email_changed();

-- Whoever linked a provider to an address before it was confirmed need not be its owner.
create function user_verified() returns trigger language plpgsql as $$
begin
  delete from external_auths where "user" = new.id;
  if found then perform end_sessions(new.id, null); end if;
  return null;
end
$$;
create trigger users_verified after update of verified on users
  for each row when (new.verified and not old.verified) execute function user_verified();

-- An id names one account, in whichever of the two collections.
create function account_id_is_free() returns trigger language plpgsql as $$
begin
  if (tg_table_name = 'users' and exists (select 1 from _superusers where id = new.id))
    or (tg_table_name = '_superusers' and exists (select 1 from users where id = new.id)) then
    raise exception 'the id names another account'
      using errcode = 'unique_violation', constraint = 'account_id_is_free';
  end if;
  return new;
end
$$;
create trigger users_id_is_free before insert on users
  for each row execute function account_id_is_free();
create trigger superusers_id_is_free before insert on _superusers
  for each row execute function account_id_is_free();
