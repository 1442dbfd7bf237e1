/** Something that happened to a topic, such as `share-link:<id>`. */
export interface TopicEvent {
  readonly topic: string;
  readonly data: unknown;
}

/** Brings what happens on this server to those who watch it: figures that change while somebody looks at them. */
export interface EventHub {
  /** Meant for after the commit: what is told did happen. */
  publish(event: TopicEvent): void;
  /** @returns how to stop */
  subscribe(topic: string, listener: (data: unknown) => void): () => void;
}

/** Makes the hub. It keeps nothing for topics that nobody watches. */
export function createEventHub(): EventHub {
  const topics = new Map<string, Set<(data: unknown) => void>>();
  return {
    publish({ topic, data }) {
      for (const listener of [...(topics.get(topic) ?? [])]) listener(data);
    },
    subscribe(topic, tell) {
      // A function of its own for each, so that one who watches twice is told twice and stops once.
      const listener = (data: unknown) => tell(data);
      const listeners = topics.get(topic) ?? new Set();
      topics.set(topic, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && topics.get(topic) === listeners) topics.delete(topic);
      };
    },
  };
}
