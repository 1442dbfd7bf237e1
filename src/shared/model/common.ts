import { z } from 'zod';

/** Ids are random UUIDs; the server makes them. */
export const Id = z.uuid();
/** A moment as an ISO 8601 string in UTC. */
export const Timestamp = z.iso.datetime();
/** Hex SHA-256: the name of a blob or of a commit. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/u);
/** 0 Basic, 1 Pro, 2 Enterprise, 99 Unverified (web-and-phone.md §3). */
export const PlanType = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(99)]);
export type PlanType = z.infer<typeof PlanType>;
