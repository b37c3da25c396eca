#ifndef GAUGEHOOKS_H
#define GAUGEHOOKS_H
#endif
