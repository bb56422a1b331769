-- A mail that the mail server did not take is sent again from this time on.
alter table feed_reads add column mail_due timestamptz(3) not null default now();
