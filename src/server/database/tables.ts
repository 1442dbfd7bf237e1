import type { ColumnType, Generated } from 'kysely';

type Flag = ColumnType<number, number, number>;

/** The server's tables. Times are ISO 8601 in UTC where people see them, milliseconds where only the server compares them. */
export interface Tables {
  users: {
    id: string;
    email: string;
    email_key: string;
    username: string | null;
    name: string;
    user_image: string | null;
    plan_type: number;
    user_type: number;
    password_hash: string;
    default_library_id: string | null;
    created_at: string;
  };
  /** User and library names share one namespace (decisions.md §3). */
  names: { key: string; kind: 'user' | 'library'; owner_id: string };
  libraries: { id: string; name: string; name_key: string; owner_id: string; archived: Flag; created_at: string };
  shelves: {
    id: string;
    library_id: string;
    name: string;
    name_key: string;
    archived: Flag;
    head_commit: string | null;
    created_at: string;
    updated_at: string;
  };
  shelf_members: { shelf_id: string; user_id: string; role: 'owner' | 'editor' | 'viewer' };
  documents: {
    id: string;
    shelf_id: string;
    name: string;
    name_key: string;
    original_filename: string;
    mime: string;
    current_version: number;
    deleted: Flag;
  };
  versions: {
    id: string;
    document_id: string;
    number: number;
    name: string;
    sha256: string;
    size: number;
    mime: string;
    author_id: string;
    commit_hash: string;
    created_at: string;
  };
  commits: {
    hash: string;
    shelf_id: string;
    /** Position in the shelf's history, from 1. */
    sequence: number;
    parent: string | null;
    message: string;
    author_id: string;
    created_at: string;
  };
  commit_changes: {
    commit_hash: string;
    position: number;
    code: 'A' | 'M' | 'D';
    document_id: string;
    name: string;
    version_id: string | null;
  };
  blobs: { sha256: string; size: number; created_at: string };
  uploads: {
    id: string;
    shelf_id: string;
    user_id: string;
    message: string;
    /** Set once reported: a repeated report answers the same. */
    reported: Flag;
    commit_hash: string | null;
    created_at: string;
  };
  upload_files: {
    upload_id: string;
    position: number;
    name: string;
    size: number;
    sha256: string;
    mime: string;
    base_version: number;
    code: string;
    version_id: string | null;
    transfer: 'none' | 'single';
  };
  sign_ins: {
    id: string;
    uuid: string;
    client_id: string;
    source: 'web' | 'electron';
    redirect_uri: string;
    challenge: string;
    state: string;
    expires_ms: number;
  };
  codes: {
    hash: string;
    sign_in_id: string;
    user_id: string;
    expires_ms: number;
    family_id: string | null;
  };
  token_families: { id: string; user_id: string; client_id: string; revoked: Flag; created_ms: number };
  tokens: {
    hash: string;
    family_id: string;
    kind: 'access' | 'refresh';
    generation: number;
    expires_ms: number;
    /** When a refresh token was used; null while it is the newest. */
    used_ms: number | null;
  };
  migrations: { version: Generated<number>; applied_at: string };
}
