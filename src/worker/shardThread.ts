import { workerData } from 'node:worker_threads';
import { openParentPort } from '../core/rpc/parentPort.ts';
import { serveShard } from '../core/search/shard.ts';
import type { ShardSettings } from '../core/search/shardProtocol.ts';

serveShard(openParentPort(), workerData as ShardSettings);
