/** The clients that this product ships. Any other client id is refused. */
export const CLIENT_IDS = { web: 'armarium-web', desktop: 'armarium-desktop' } as const;
