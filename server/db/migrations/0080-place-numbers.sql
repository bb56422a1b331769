-- The sites that are or were public, in the order in which they became so, which the outputs follow: a place in it is kept
-- for good, so that pages do not shift while they are read. Backups include it. Filled by the code that runs after this.
create table place_numbers (
  id text collate "C" primary key,
  number bigint not null default nextval('record_version'),
  business text collate "C" not null,
  updated timestamptz(3) not null,
  -- Of what is said of the site; that of its business or of all is the greatest of them.
  version bigint not null,
  -- Whether it has all that OCPI needs (domain/registers.ts), and whether it is or was a Location because of that.
  roaming boolean not null,
  listed boolean not null,
  -- Of a Location that is none any more, what OCPI needs to say that it was removed, and no more than that.
  rest text collate "C"
);
create index place_numbers_number on place_numbers (number);
create index place_numbers_business on place_numbers (business, number);
create index place_numbers_updated on place_numbers (updated);
create index place_numbers_version on place_numbers (version);
