import type { ColumnType, Generated } from 'kysely';

type Flag = ColumnType<number, number | undefined, number>;
/** A column that the database fills in when an insert leaves it out. */
type Optional<T> = ColumnType<T, T | undefined, T>;

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
    email_verified: Flag;
    disabled: Flag;
    /** Sealed. Counts once `totp_enabled` is set. */
    totp_secret: Optional<string | null>;
    totp_enabled: Flag;
    /** The last time step whose code was used: a code works once (RFC 6238 §5.2). */
    totp_last_step: Optional<number>;
    /** Set for one mail a day with what is new. */
    mail_digest: Flag;
    last_seen_at: Optional<string | null>;
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
    /** Documents that are not deleted, kept by whoever changes their number. */
    document_count: Optional<number>;
  };
  shelf_members: { shelf_id: string; user_id: string; role: 'owner' | 'editor' | 'viewer' };
  documents: {
    id: string;
    shelf_id: string;
    name: string;
    name_key: string;
    /** Where it stands in lists. */
    name_order: string;
    original_filename: string;
    mime: string;
    current_version: number;
    /** Set while it is in the trash. */
    deleted: Flag;
    deleted_at: Optional<string | null>;
    deleted_by: Optional<string | null>;
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
    label: Optional<string | null>;
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
    /** What the commit's name was made of; null for a deletion. */
    version_number: number | null;
    sha256: string | null;
    size: number | null;
  };
  /**
   * Shelves in the trash: nobody is a member, their name is free, and who was a member (JSON, user id to role) comes back with
   * the first document that is restored.
   */
  deleted_shelves: { shelf_id: string; members: string; deleted_at: string; deleted_by: string };
  /** `condemned_ms`: when the content was found to belong to nothing; null while something needs it. */
  blobs: { sha256: string; size: number; created_at: string; condemned_ms: Optional<number | null> };
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
    transfer: 'none' | 'single' | 'parts';
    /** Parts that the content is sent in; 0 for one PUT. */
    parts: Optional<number>;
    /** The file was announced to be deleted. */
    deletes: Flag;
    /** The document that gets another name. */
    renamed_from: Optional<string | null>;
    /** Set when the content came by this very upload. */
    arrived: ColumnType<number, number | undefined, number>;
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
  document_locks: { document_id: string; user_id: string; created_at: string; expires_ms: number };
  /** Requests that say who they are, so that one that repeats is answered and not done again. */
  idempotency_keys: {
    user_id: string;
    key: string;
    request_hash: string;
    /** JSON; null while the first is under way. */
    response: string | null;
    created_ms: number;
  };
  recovery_codes: { user_id: string; hash: string; used_ms: number | null };
  /** Links that were sent by mail. */
  mail_tokens: {
    hash: string;
    user_id: string;
    purpose: 'verify-email' | 'reset-password';
    email: string;
    expires_ms: number;
  };
  /** Accounts at other providers (OpenID Connect issuer and subject) that sign in to an account here. */
  identities: { provider: string; subject: string; user_id: string; email: string; created_at: string };
  /** Sign-ins that are with another provider at the moment. */
  social_sign_ins: {
    state_hash: string;
    sign_in_id: string;
    provider: string;
    nonce: string;
    code_verifier: string;
    expires_ms: number;
  };
  /** Sign-ins whose password was right and whose second step is due. */
  second_factors: { hash: string; sign_in_id: string; user_id: string; expires_ms: number };
  attempts: { key: string; at_ms: number };
  jobs: {
    id: string;
    kind: string;
    /** At most one waiting job has it. */
    dedupe_key: string | null;
    payload: string;
    run_at_ms: number;
    attempts: Optional<number>;
    locked_until_ms: Optional<number>;
    last_error: Optional<string | null>;
    created_ms: number;
  };
  mails: {
    id: string;
    recipient: string;
    subject: string;
    state: 'queued' | 'sent' | 'written' | 'failed';
    /** Name of the .eml file, where no SMTP server is configured. */
    file: string | null;
    error: string | null;
    created_at: string;
    sent_at: string | null;
  };
  settings: { key: string; value: string; updated_at: string };
  comments: {
    id: string;
    shelf_id: string;
    document_id: string | null;
    version_id: string | null;
    parent_id: string | null;
    user_id: string | null;
    comment: string;
    resolved_at: string | null;
    resolved_by: string | null;
    created_at: string;
    updated_at: string;
  };
  comment_reads: { shelf_id: string; user_id: string; read_until: string; last_comment_id: string };
  invitations: {
    id: string;
    shelf_id: string;
    email: string;
    email_key: string;
    role: 'editor' | 'viewer';
    invited_by: string | null;
    state: 'pending' | 'accepted' | 'declined' | 'cancelled';
    sent_at: string;
    answered_at: string | null;
    expires_ms: number;
    created_at: string;
  };
  favorites: { user_id: string; kind: 'library' | 'shelf' | 'document'; target_id: string; created_at: string };
  follows: {
    user_id: string;
    kind: 'shelf' | 'document';
    target_id: string;
    mode: 'follow' | 'mute';
    created_at: string;
  };
  notifications: {
    id: string;
    user_id: string;
    notification_type: string;
    target_kind: 'library' | 'shelf' | 'document' | 'share-link' | 'invitation';
    target_id: string;
    /** JSON. */
    metadata: string;
    is_read: Flag;
    /** Set once a digest told of it. */
    mailed: Flag;
    created_at: string;
  };
  service_notices: {
    id: string;
    title: string;
    content: string;
    content_type: 'html' | 'text';
    start_date: string;
    end_date: string;
    active: Flag;
    created_at: string;
    updated_at: string;
  };
  service_notice_reads: { notice_id: string; user_id: string; read_at: string };
  share_links: {
    id: string;
    token_hash: string;
    /** The token itself, sealed, so that its creator can copy the link again. */
    token_sealed: string;
    shelf_id: string;
    kind: 'shelf' | 'document' | 'version';
    document_id: string | null;
    version_id: string | null;
    label: string;
    password_hash: string | null;
    expires_at: string | null;
    max_views: number | null;
    view_count: Optional<number>;
    allow_download: Flag;
    /** JSON array of email keys or `@domain`; null lets everybody in. */
    allowed_emails: string | null;
    notify_on_open: Flag;
    webhook_url: string | null;
    created_by: string;
    created_at: string;
    updated_at: string;
    revoked_at: string | null;
    last_access_at: Optional<string | null>;
  };
  share_events: {
    id: string;
    link_id: string;
    kind: 'view' | 'download';
    at: string;
    visitor_hash: string;
    email: string | null;
    /** Who it was, so that one filter serves all figures. */
    audience: 'visitor' | 'team' | 'bot';
    device: string;
    referrer: string;
    document_id: string | null;
    version_id: string | null;
    version_number: number | null;
  };
  app_versions: {
    id: string;
    version: string;
    platform: 'win32' | 'darwin' | 'linux';
    channel: string;
    release_notes: string;
    release_note_type: 'text' | 'markdown' | 'html';
    mandatory: Flag;
    published_at: string | null;
    created_at: string;
    updated_at: string;
  };
  app_version_files: {
    app_version_id: string;
    name: string;
    size: number;
    sha256: string;
    sha512: string;
    created_at: string;
  };
  audit_log: {
    id: string;
    at: string;
    actor_id: string | null;
    actor_name: string;
    action: string;
    target_kind: string;
    target_id: string;
    target_name: string;
    library_id: string | null;
    address: string;
    /** JSON. */
    details: string;
  };
  usage_counts: { day: string; kind: string; name: string; count: number };
  migrations: { version: Generated<number>; applied_at: string };
}
