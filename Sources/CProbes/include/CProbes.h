#ifndef CPROBES_H
#define CPROBES_H
#endif
