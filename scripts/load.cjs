require('./main.cjs');
