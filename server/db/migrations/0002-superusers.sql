create table _superusers (
  id text collate "C" primary key check (id ~ '^[a-z0-9]{15}$'),
  email text collate "C" not null check (email <> ''),
  "emailVisibility" boolean not null default false,
  verified boolean not null default true,
  created timestamptz(3) not null default now(),
  updated timestamptz(3) not null default now(),
  version bigint not null default nextval('record_version')
);
create unique index _superusers_email_key on _superusers (lower(email));

-- A session is a user's or a superuser's.
alter table sessions alter column "user" drop not null;
alter table sessions add column superuser text collate "C" references _superusers on delete cascade;
alter table sessions add constraint sessions_of_one check (num_nonnulls("user", superuser) = 1);
create index sessions_superuser on sessions (superuser);
