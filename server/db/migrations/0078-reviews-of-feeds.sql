-- A person has asked to see the plan: nothing of it is applied by the rules of the feed.
alter table import_work add column is_review boolean not null default false;
