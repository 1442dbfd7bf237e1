import { describe, expect, it } from 'vitest';
import { allowedRatio } from '../../../src/renderer/features/viewer/pdf/pageCanvas.ts';
