#!/usr/bin/env node
require('../old/dist/main.cjs');
