SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.api_keys (
    id bigint NOT NULL,
    hash bytea NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone
);
CREATE TABLE public.id_counters (
    name text NOT NULL,
    last_id bigint NOT NULL
);
CREATE TABLE public.idempotency_keys (
    key text NOT NULL,
    pet_id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.pets (
    id bigint NOT NULL,
    name text NOT NULL,
    category_id bigint NOT NULL,
    status text NOT NULL,
    CONSTRAINT pets_status_check CHECK ((status = ANY (ARRAY['available'::text, 'pending'::text, 'sold'::text])))
);
CREATE TABLE public.petstore_schema (
    name text NOT NULL,
    version integer NOT NULL
);
INSERT INTO public.api_keys VALUES (2, '\xe7d8c668d4e5366c4873552923f6f66eb708446ee2d65cc0b5eebeb720919118', 'revoked', '2026-11-22 00:37:37.67+00', NULL, NULL, '2026-11-22 00:37:37.909+00');
INSERT INTO public.api_keys VALUES (3, '\x0663ba522a5a6913d33b44c87444cc3f9385495018fc91003eb30aa1cbdf11c1', 'expiring', '2026-11-22 00:37:37.986+00', NULL, '2026-12-22 00:37:37.986+00', NULL);
INSERT INTO public.api_keys VALUES (1, '\x39b058e48252c12c59650be83f756406eb47593095382fcefc34089e25066b08', 'till-1', '2026-11-22 00:37:37.51+00', '2026-11-22 00:37:38.363+00', NULL, NULL);
INSERT INTO public.id_counters VALUES ('api_keys', 3);
INSERT INTO public.id_counters VALUES ('pets', 6);
INSERT INTO public.idempotency_keys VALUES ('key-1', 1, '2026-11-22 00:37:38.365+00');
INSERT INTO public.idempotency_keys VALUES ('key-2', 2, '2026-11-22 00:37:38.386+00');
INSERT INTO public.pets VALUES (1, 'Rex', 7, 'available');
INSERT INTO public.pets VALUES (2, 'Bella "the bell"', 1, 'pending');
INSERT INTO public.pets VALUES (3, '𝒫🐕‍🦺 é', 3, 'sold');
INSERT INTO public.pets VALUES (4, 'Rob''); DROP TABLE pets; --', 2, 'available');
INSERT INTO public.pets VALUES (5, 'Least', -9223372036854775808, 'available');
INSERT INTO public.pets VALUES (6, 'Greatest', 9223372036854775807, 'sold');
INSERT INTO public.petstore_schema VALUES ('version', 1);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.id_counters
    ADD CONSTRAINT id_counters_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.pets
    ADD CONSTRAINT pets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.petstore_schema
    ADD CONSTRAINT petstore_schema_pkey PRIMARY KEY (name);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);
CREATE INDEX pets_by_status ON public.pets USING btree (status, id);
