-- A total is counted when it is asked for, and a 304 takes a statement: what told a process that nothing had
-- changed since its last answer goes (decision 0056).
drop index changes_since;
alter table changes drop column xid;

drop event trigger if exists share_database;
drop function if exists share_database();
