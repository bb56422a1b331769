-- What travellers tell the owners of sites.
create table reports (
  id text collate "C" primary key check (id ~ '^[a-z0-9]{15}$'),
  site text collate "C" not null references sites on delete cascade,
  reason text collate "C" not null,
  message text collate "C" not null default '',
  wants_answer boolean not null default false,
  received text collate "C" not null default '',
  state text collate "C" not null default 'OPEN',
  answer text collate "C" not null default '',
  created timestamptz(3) not null default now(),
  updated timestamptz(3) not null default now(),
  version bigint not null default nextval('record_version')
);
create index reports_site on reports (site, created, id);
create index reports_updated on reports (updated);

-- Who sent a report, apart from it (decision 0094): the owner reads neither address.
create table report_senders (
  report text collate "C" primary key references reports on delete cascade,
  -- A keyed hash of the network address, for a day.
  sender text not null,
  -- Until the answer has been sent to it.
  email text not null,
  language text not null,
  created timestamptz(3) not null default now(),
  -- The owner has been told by mail.
  is_told boolean not null default false,
  -- When the answer is sent, or sent again if that failed.
  due timestamptz(3) not null default now()
);
create index report_senders_sender on report_senders (sender, created) where sender <> '';
create index report_senders_untold on report_senders (report) where not is_told;
create index report_senders_email on report_senders (due) where email <> '';

-- When an owner was last told of new reports by mail.
create table report_notices (
  "user" text collate "C" primary key references users on delete cascade,
  sent timestamptz(3) not null default now()
);

-- The language in which a user last signed in, for mails that nobody asks for.
create table user_languages (
  "user" text collate "C" primary key references users on delete cascade,
  language text not null
);
