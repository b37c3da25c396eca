#include "GaugeHooks.h"
